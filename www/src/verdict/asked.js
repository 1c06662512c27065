// Which packs the checks were asked for: the page and the engine's thread compare it, so that an answer to an older choice is dropped.

/**
 * The choice in a text: the packs that were chosen, those that were taken back although the document is made for them, and what each
 * was told.
 */
export const askedOf = ({ packs = [], unwanted = [], parameters = {} } = {}) => `${packs.join()} without ${unwanted.join()} ${JSON.stringify(parameters)}`;
