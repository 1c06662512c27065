// What is a proof, and what a policy, from its first line.

/** Whether a text is a proof of the log. */
export const isProof = (text) => text.startsWith('c2sp.org/tlog-proof@');
/** Whether a text begins as a policy does, comments aside. */
export const isPolicy = (text) => /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:log|witness|group|quorum)[ \t]+\S/.test(text);
