// How long the page's thread works without a pause, in CPU time, which other load on the machine does not change.

/** Runs `work` with a page. Returns the longest task of its thread in milliseconds. */
export async function longestTask(browser, page, work) {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  let traced;
  try {
    await work();
  } finally {
    traced = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(traced.toString('utf8'));
  const pages = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}/${tid}`);
  const tasks = traceEvents.filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pages.includes(`${pid}/${tid}`));
  if (tasks.length === 0) throw new Error('the browser traced no task');
  return Math.max(...tasks.map(({ dur, tdur = dur }) => tdur)) / 1000;
}
