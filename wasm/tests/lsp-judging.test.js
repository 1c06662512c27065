// When the language server judges, and when it stops: with a thread whose answers the test gives.
// Invariant: The language server answers only for the version of a document that it was asked about, and ends work that is out of date.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { Judging, Stopped } from '../lsp/judging.ts';
import { listen } from '../lsp/server.ts';

/** A thread whose questions the test sees, and answers. */
class Thread extends EventEmitter {
  asked = [];
  isEnded = false;

  postMessage(question) {
    this.asked.push(question);
    this.emit('asked');
  }

  async question(number = 0) {
    while (this.asked.length <= number) await once(this, 'asked');
    return this.asked[number];
  }

  answer({ id }, answer) {
    this.emit('message', { id, answer });
  }

  terminate() {
    this.isEnded = true;
  }

  unref() {}
}

/** A server in this process, its threads, and what it sends. `pause`: how long a document must be unchanged, in milliseconds. */
async function start(pause) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const threads = new EventEmitter();
  threads.all = [];
  threads.next = async (number) => {
    while (threads.all.length <= number) await once(threads, 'started');
    return threads.all[number];
  };
  listen({
    input,
    output,
    version: '1',
    pause,
    startJudge() {
      const thread = new Thread();
      threads.all.push(thread);
      threads.emit('started');
      return thread;
    },
  });
  const client = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  const published = new EventEmitter();
  published.all = [];
  published.next = async (number) => {
    while (published.all.length <= number) await once(published, 'came');
    return published.all[number];
  };
  client.onNotification((method, params) => {
    published.all.push({ method, ...params });
    published.emit('came');
  });
  client.listen();
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  const open = (uri, text) => client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text } });
  const change = (uri, version, text) => client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  return { client, threads, published, open, change };
}

const text = '{"type": "ObjectEvent"}';
const found = (message) => ({ diagnostics: [{ from: 0, to: 1, severity: 'error', code: 'x', message }], fixes: [] });

test('a document that changes while it is judged: the thread is ended, and only the new text is answered', async () => {
  const { threads, published, open, change } = await start();
  await open('file:///a.json', text);
  const first = await threads.next(0);
  const old = await first.question();
  assert.deepEqual([old.ask, old.text], ['diagnose', text]);
  await change('file:///a.json', 2, `${text} `);
  const second = await threads.next(1);
  assert.equal(first.isEnded, true);
  const question = await second.question();
  assert.equal(question.text, `${text} `);
  first.answer(old, found('of the old text'));
  second.answer(question, found('of the new text'));
  const { method, version, diagnostics } = await published.next(0);
  assert.deepEqual([method, version, diagnostics[0].message], ['textDocument/publishDiagnostics', 2, 'of the new text']);
});

test('an answer that comes before the pause after an edit is over is dropped, and the thread is kept', async () => {
  // So long that the answer surely comes first.
  const { threads, published, open, change, client } = await start(3000);
  await open('file:///a.json', text);
  const thread = await threads.next(0);
  const old = await thread.question();
  await change('file:///a.json', 2, `${text} `);
  // The server has read the edit when it answers this.
  await client.sendRequest('textDocument/codeAction', {
    textDocument: { uri: 'file:///a.json' },
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    context: { diagnostics: [] },
  });
  thread.answer(old, found('of the old text'));
  const question = await thread.question(1);
  thread.answer(question, found('of the new text'));
  assert.equal((await published.next(0)).diagnostics[0].message, 'of the new text');
  assert.deepEqual([thread.isEnded, threads.all.length], [false, 1]);
});

test('many edits in a row are one question', async () => {
  const { threads, published, open, change } = await start();
  await open('file:///a.json', text);
  for (let version = 2; version <= 50; version += 1) await change('file:///a.json', version, text + ' '.repeat(version));
  const thread = await threads.next(0);
  const question = await thread.question();
  assert.equal(question.text, text + ' '.repeat(50));
  thread.answer(question, found('x'));
  assert.equal((await published.next(0)).version, 50);
  assert.equal(thread.asked.length, 1);
});

test('documents wait for each other; a closed one is not judged', async () => {
  const { client, threads, published, open } = await start();
  for (const name of ['a', 'b', 'c']) await open(`file:///${name}.json`, `${text}${name}`);
  const first = await threads.next(0);
  await first.question();
  await client.sendNotification('textDocument/didClose', { textDocument: { uri: 'file:///b.json' } });
  await client.sendNotification('textDocument/didClose', { textDocument: { uri: 'file:///a.json' } });
  const second = await threads.next(1);
  assert.equal(first.isEnded, true);
  const question = await second.question();
  assert.equal(question.text, `${text}c`);
  second.answer(question, found('x'));
  assert.equal((await published.next(0)).uri, 'file:///c.json');
  assert.equal(first.asked.length + second.asked.length, 2);
});

test('a thread that fails: the user is told once, old diagnostics go, and the next text gets a new thread', async () => {
  const { threads, published, open, change } = await start();
  await open('file:///a.json', text);
  const first = await threads.next(0);
  first.answer(await first.question(), found('x'));
  await published.next(0);
  await change('file:///a.json', 2, `${text} `);
  await first.question(1);
  first.emit('error', new Error('out of memory'));
  const [log, message, cleared] = [await published.next(1), await published.next(2), await published.next(3)];
  assert.match(log.message, /a\.json: Error: out of memory/);
  assert.equal(message.message, 'epcis-edge: a.json: it was not judged: the log has a defect of the program');
  assert.deepEqual([cleared.method, cleared.diagnostics], ['textDocument/publishDiagnostics', []]);
  await change('file:///a.json', 3, `${text}  `);
  const second = await threads.next(1);
  second.answer(await second.question(), found('y'));
  assert.equal((await published.next(4)).diagnostics[0].message, 'y');
});

test('a question that takes too long ends its thread, and the next gets another', async () => {
  const threads = [];
  const judging = new Judging(() => {
    threads.push(new Thread());
    return threads.at(-1);
  }, 20);
  // Its timers do not keep the process alive.
  const alive = setInterval(() => undefined, 1000);
  const ended = judging.ask('diagnose', text);
  await assert.rejects(ended, (error) => error instanceof Stopped && error.isSlow && /longer than 0\.02 s/.test(error.message));
  clearInterval(alive);
  const next = judging.ask('diagnose', text);
  assert.deepEqual([threads.length, threads[0].isEnded, threads[1].isEnded], [2, true, false]);
  // The new thread does not have the text yet.
  assert.equal(threads[1].asked[0].text, text);
  threads[1].answer(threads[1].asked[0], 1);
  assert.equal(await next, 1);
});

test('the text is sent once', async () => {
  const thread = new Thread();
  const judging = new Judging(() => thread);
  const answers = [judging.ask('diagnose', text), judging.ask('symbols', text), judging.ask('symbols', `${text} `)];
  assert.deepEqual(
    thread.asked.map(({ text: sent }) => sent),
    [text, undefined, `${text} `],
  );
  for (const question of thread.asked) thread.answer(question, question.id);
  assert.deepEqual(await Promise.all(answers), [1, 2, 3]);
});
