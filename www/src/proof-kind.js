// What is a proof, a policy or a disclosure, from how it begins.

/** Whether a text is a proof of the log. */
export const isProof = (text) => text.startsWith('c2sp.org/tlog-proof@');
/** Whether a text begins as a disclosure does: some fields of a logged event. */
export const isDisclosure = (text) => /^\s*\{\s*"type"\s*:\s*"epcis-edge\/disclosure\//.test(text);
/** Whether a text begins as a policy does, comments aside. */
export const isPolicy = (text) => /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:log|witness|group|quorum)[ \t]+\S/.test(text);
