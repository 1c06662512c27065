// @ts-nocheck
// Code actions: the corrections of errors, each alone, all of a kind, and all.
import { CodeActionKind } from 'vscode-languageserver/node';

/** The kind of the action that makes all corrections, which editors can run when a file is saved. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.epcis-edge`;

const isBefore = (a, b) => a.line < b.line || (a.line === b.line && a.character < b.character);
const touch = (one, other) => !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
/** Whether a kind was asked for: a client asks for kinds and what is below them, or for all but those of a whole source. */
const isAsked = (only, kind) => (only === undefined ? !kind.startsWith('source') : only.some((asked) => kind === asked || kind.startsWith(`${asked}.`)));

/**
 * The actions for a range. `fixes` and `diagnostics` are those of this version of the document.
 *
 * @param hasVersions whether the client takes edits for a version of a document
 */
export function actionsFor({ document, range, context: { only }, diagnostics, fixes, hasVersions }) {
  const { uri, version } = document;
  const editOf = (chosen) => {
    const edits = chosen.flatMap((fix) =>
      fix.edits.map(({ from, to, insert }) => ({ range: { start: document.positionAt(from), end: document.positionAt(to) }, newText: insert })),
    );
    return hasVersions ? { documentChanges: [{ textDocument: { uri, version }, edits }] } : { changes: { [uri]: edits } };
  };
  const action = (title, kind, chosen, rest = {}) => ({
    title,
    kind,
    diagnostics: chosen.map(({ diagnostic }) => diagnostics[diagnostic]),
    edit: editOf(chosen),
    ...rest,
  });
  const actions = [];
  // What is a guess is made only if it is chosen, never when a file is saved.
  const sure = fixes.filter(({ isGuess }) => !isGuess);
  if (isAsked(only, CodeActionKind.QuickFix)) {
    const here = fixes.filter(({ diagnostic }) => touch(diagnostics[diagnostic].range, range));
    for (const fix of here) {
      actions.push(action(fix.says ?? `Change ${fix.from} to ${fix.to}`, CodeActionKind.QuickFix, [fix], { isPreferred: !fix.isGuess }));
      const twins = fixes.filter(({ kind }) => kind === fix.kind);
      if (twins.length > 1 && here.find(({ kind }) => kind === fix.kind) === fix)
        actions.push(action(fix.saysAll ?? `Change all ${twins.length} ${fix.from} to ${fix.to}`, CodeActionKind.QuickFix, twins));
    }
    if (here.length > 0 && sure.length > 1) actions.push(action(`Make all ${sure.length} suggested corrections`, CodeActionKind.QuickFix, sure));
  }
  if (sure.length > 0 && isAsked(only, FIX_ALL)) actions.push(action('Make all suggested corrections', FIX_ALL, sure));
  return actions;
}
