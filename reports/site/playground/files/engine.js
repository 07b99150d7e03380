// The simulator as the page knows it: a worker that answers calls. A second one, for many runs, has the module of the first.

const files = { exec: new URL("wasm_exec.js", import.meta.url).href, engine: new URL("engine.wasm.gz", import.meta.url).href };

// An Engine answers calls one after the other. Loading is told of to progress(got, of).
export class Engine {
  constructor(progress, module) {
    Object.assign(this, { progress, module, waiting: new Map(), next: 1 });
    this.start();
  }

  start() {
    this.worker = new Worker(new URL("worker.js", import.meta.url));
    this.ready = new Promise((done, failed) => {
      this.worker.onerror = (e) => failed(new Error(e.message || "the worker did not start"));
      this.worker.onmessage = ({ data }) => {
        if (data.ready) { done(); }
        if (data.failed) { failed(new Error(data.failed)); }
        if (data.module) { this.module = data.module; }
        if (data.progress) { this.progress(...data.progress); }
        if (data.id) { this.answered(data); }
      };
    });
    this.ready.catch(() => {}); // whoever asks is told
    this.worker.postMessage({ ...files, module: this.module });
  }

  // answered delivers an answer. A simulator that died is started again, so that a bad call doesn't end the page.
  answered({ id, answer, died }) {
    const waits = this.waiting.get(id);
    this.waiting.delete(id);
    if (died === undefined) { waits.done(JSON.parse(answer)); return; }
    const why = new Error("The simulator stopped: " + died + ". It was started anew.");
    for (const w of [waits, ...this.waiting.values()]) { w.failed(why); }
    this.waiting.clear();
    this.end();
    this.start();
  }

  // ask returns the answer to a call, or throws what is wrong with it: an error of words, with line and column if it has them.
  async ask(name, request) {
    await this.ready;
    const answer = await new Promise((done, failed) => {
      const id = this.next++;
      this.waiting.set(id, { done, failed });
      this.worker.postMessage({ id, name, request: JSON.stringify(request) });
    });
    if (answer.error) { throw Object.assign(new Error(answer.error.message), answer.error); }
    return answer;
  }

  // another returns a second engine of the same module.
  another() { return new Engine(() => {}, this.module); }

  end() { this.worker.terminate(); }
}

// newest returns a function that asks for a job at the next frame. If asked meanwhile, the job runs once more, never twice.
export function newest(job) {
  let wanted = false;
  return async function again() {
    wanted = true;
    if (again.busy) { return; }
    again.busy = true;
    while (wanted) {
      await new Promise((done) => (document.hidden ? setTimeout(done) : requestAnimationFrame(done)));
      wanted = false;
      await job();
    }
    again.busy = false;
  };
}
