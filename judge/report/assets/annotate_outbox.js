// Scores on their way to the server: what it did not take is kept in the browser and sent again, so that none is lost.

const AGAIN = 3000; // milliseconds between two tries

/**
 * A queue that `send`s one after another; `tell(waiting)` says how many are still to be sent. What the server refuses is not kept.
 * Every window has its own, and takes over what others of this `name` left behind: sent twice is better than lost.
 */
export function outbox(name, send, tell) {
  const own = `${name} ${Math.random()}`;
  let waiting = read(), timer = 0, under = Promise.resolve();
  const keep = () => {
    try { if (waiting.length) localStorage.setItem(own, JSON.stringify(waiting)); else localStorage.removeItem(own);
      } catch { /* this browser keeps nothing: the page must stay open */ }
    tell(waiting.length);
  };

  function read() {
    try {
      const left = Object.keys(localStorage).filter((each) =>
        each.startsWith(`${name} `)).flatMap((each) => { const found = JSON.parse(localStorage.getItem(each)); localStorage.removeItem(each); return found; });
      if (left.length) localStorage.setItem(own, JSON.stringify(left));
      return left;
    } catch { return []; }
  }

  /** Send all that waits, in order; the last answer. */
  async function flush() {
    clearTimeout(timer);
    let answer = null;
    while (waiting.length) {
      try {
        answer = await send(waiting[0]);
      } catch (error) {
        if (error.unreachable) { timer = setTimeout(() => { under = under.then(flush, flush).catch(() => {}); }, AGAIN); return null; }
        waiting.shift();
        keep();
        throw error;
      }
      waiting.shift();
      keep();
    }
    return answer;
  }

  return {
    /** Give a score in; the server's answer, null where it has to wait. An Error where it is refused. */
    put(given) {
      waiting.push(given);
      keep();
      return (under = under.then(flush, flush));
    },
    start() { tell(waiting.length); return (under = under.then(flush, flush)); },
    stop() { clearTimeout(timer); },
  };
}
