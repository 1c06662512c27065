// Stands for the library of colours where a parser is only asked for places: in the engine's thread nothing is coloured.
const nothing = new Proxy(() => nothing, { get: () => nothing });

export const tags = nothing;
/** Puts nothing on any kind of node. */
export const styleTags = () => () => undefined;
