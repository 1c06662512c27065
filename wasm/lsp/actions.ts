// Code actions: the corrections of errors, each alone, all of a kind, and all.
import {
  type CodeAction,
  type CodeActionContext,
  CodeActionKind,
  type Diagnostic,
  type Position,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Fix } from './opened.ts';

/** The kind of the action that makes all corrections, which editors can run when a file is saved. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.epcis-edge`;

const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.character < b.character);
const touch = (one: Range, other: Range): boolean => !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
/** Whether a kind was asked for: a client asks for kinds and what is below them, or for all but those of a whole source. */
const isAsked = (only: readonly string[] | undefined, kind: string): boolean =>
  only === undefined ? !kind.startsWith('source') : only.some((asked) => kind === asked || kind.startsWith(`${asked}.`));

interface Asked {
  readonly document: TextDocument;
  readonly range: Range;
  readonly context: Pick<CodeActionContext, 'only'>;
  /** Those of this version of the document. */
  readonly diagnostics: readonly Diagnostic[];
  readonly fixes: readonly Fix[];
  /** Whether the client takes edits for a version of a document. */
  readonly hasVersions: boolean;
}

/** The actions for a range. */
export function actionsFor({ document, range, context: { only }, diagnostics, fixes, hasVersions }: Asked): CodeAction[] {
  const { uri, version } = document;
  const editOf = (chosen: readonly Fix[]): WorkspaceEdit => {
    const edits = chosen.flatMap((fix) =>
      fix.edits.map(({ from, to, insert }) => ({ range: { start: document.positionAt(from), end: document.positionAt(to) }, newText: insert })),
    );
    return hasVersions ? { documentChanges: [{ textDocument: { uri, version }, edits }] } : { changes: { [uri]: edits } };
  };
  const action = (title: string, kind: string, chosen: readonly Fix[], rest: Pick<CodeAction, 'isPreferred'> = {}): CodeAction => ({
    title,
    kind,
    diagnostics: chosen.flatMap(({ diagnostic }) => diagnostics[diagnostic] ?? []),
    edit: editOf(chosen),
    ...rest,
  });
  const actions: CodeAction[] = [];
  // What is a guess is made only if it is chosen, never when a file is saved.
  const sure = fixes.filter(({ isGuess }) => !isGuess);
  if (isAsked(only, CodeActionKind.QuickFix)) {
    const here = fixes.filter(({ diagnostic: number }) => {
      const own = diagnostics[number];
      return own !== undefined && touch(own.range, range);
    });
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
