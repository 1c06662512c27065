// Recognises a proof, a policy or a disclosure by how it begins.

/** Whether a text begins like a proof of the log. */
export const isProof = (text: string): boolean => text.startsWith('c2sp.org/tlog-proof@');
/** Whether a text begins like a disclosure, which holds some fields of a logged event. */
export const isDisclosure = (text: string): boolean => /^\s*\{\s*"type"\s*:\s*"epcis-edge\/disclosure\//.test(text);
/** Whether a text begins like a policy, apart from comments. */
export const isPolicy = (text: string): boolean => /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:log|witness|group|quorum)[ \t]+\S/.test(text);
