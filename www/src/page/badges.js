// The badges beside the titles of the tabs.
import { count } from '../shared/words.ts';

/** Sets the badge of one answer. `isGood`: the document is valid; no badge is green otherwise. */
export function setBadge(tabs, part, value, isGood) {
  switch (part) {
    case 'verdict': {
      const number = value.errors.length;
      const isUnread = value.problem !== undefined || value.refused !== undefined;
      if (value.problem?.isOther) tabs.badge('validate', '');
      else if (value.valid) tabs.badge('validate', '✓', value.repeated?.length > 0 ? 'warn' : 'good', 'valid');
      else tabs.badge('validate', isUnread ? '!' : number >= 1000 ? '1000+' : String(number), 'bad', isUnread ? 'cannot be read' : count(number, 'error'));
      break;
    }
    case 'checks': {
      const { counts, events, notApplicable } = value ?? {};
      const number = (counts?.error ?? 0) + (counts?.warning ?? 0);
      if (number > 0) tabs.badge('checks', String(number), counts.error > 0 ? 'bad' : 'warn', count(number, 'finding'));
      else tabs.badge('checks', isGood && events > 0 && counts.hint === 0 && notApplicable === undefined ? '✓' : '', 'good', 'no problems found');
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
      const { report, problem, errors = [] } = value;
      if (errors.length > 0) tabs.badge('translate', '!', 'bad', 'not valid');
      else
        tabs.badge(
          'translate',
          problem !== undefined ? '' : report.isClean ? '✓' : String(report.losses),
          report?.isClean ? (isGood ? 'good' : '') : 'warn',
          report?.isClean ? 'nothing lost' : count(report?.losses ?? 0, 'loss'),
        );
      break;
    }
  }
}
