// Which packs the checks were asked for: the page and the engine's thread compare it, so that an answer to an older choice is dropped.

/** The packs that the checks are asked for, those that are not, and what each is told. */
export interface Choice {
  readonly packs?: readonly string[] | undefined;
  readonly unwanted?: readonly string[] | undefined;
  readonly parameters?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> | undefined;
}

/**
 * The choice in a text: the packs that were chosen, those that were taken back although the document is made for them, and what each
 * was told.
 */
export const askedOf = ({ packs = [], unwanted = [], parameters = {} }: Choice = {}): string =>
  `${packs.join()} without ${unwanted.join()} ${JSON.stringify(parameters)}`;
