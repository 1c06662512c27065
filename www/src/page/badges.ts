// The badges beside the titles of the tabs.
import type { Answered } from './state.ts';
import type { Tabs } from './tabs.ts';
import { count } from '../shared/words.ts';

/** Sets the badge of one answer. `isGood`: the document is valid; no badge is green otherwise. */
export function setBadge(tabs: Tabs, { part, value }: Answered, isGood: boolean): void {
  switch (part) {
    case 'verdict': {
      const number = value.errors.length;
      const isUnread = value.problem !== undefined || value.refused !== undefined;
      if (value.problem?.isOther) tabs.badge('validate', '');
      else if (value.valid) tabs.badge('validate', '✓', value.repeated !== undefined && value.repeated.length > 0 ? 'warn' : 'good', 'valid');
      else tabs.badge('validate', isUnread ? '!' : number >= 1000 ? '1000+' : String(number), 'bad', isUnread ? 'cannot be read' : count(number, 'error'));
      break;
    }
    case 'checks': {
      const found = value?.problem === undefined ? value : undefined;
      const { error = 0, warning = 0, hint = 0 } = found?.counts ?? {};
      const number = error + warning;
      if (number > 0) tabs.badge('checks', String(number), error > 0 ? 'bad' : 'warn', count(number, 'finding'));
      else
        tabs.badge(
          'checks',
          isGood && found !== undefined && found.events > 0 && hint === 0 && found.notApplicable === undefined ? '✓' : '',
          'good',
          'no problems found',
        );
      break;
    }
    case 'events': {
      const number = value.total - value.others;
      tabs.badge('events', value.problem === undefined ? number.toLocaleString('en') : '', '', count(number, 'event'));
      break;
    }
    case 'hashes': {
      const { 'matches-none': wrong = 0, matches: right = 0 } = value.tally ?? {};
      tabs.badge(
        'hash',
        value.problem !== undefined ? '' : wrong > 0 ? `${wrong} ✗` : right > 0 ? '✓' : '',
        wrong > 0 ? 'bad' : isGood ? 'good' : '',
        wrong > 0 ? `${count(wrong, 'eventID')} wrong` : 'eventIDs verified',
      );
      break;
    }
    case 'translation': {
      const { report, errors = [] } = value.problem === undefined ? value : {};
      if (errors.length > 0) tabs.badge('translate', '!', 'bad', 'not valid');
      else
        tabs.badge(
          'translate',
          report === undefined ? '' : report.isClean ? '✓' : String(report.losses),
          report?.isClean ? (isGood ? 'good' : '') : 'warn',
          report?.isClean ? 'nothing lost' : count(report?.losses ?? 0, 'loss'),
        );
      break;
    }
  }
}
