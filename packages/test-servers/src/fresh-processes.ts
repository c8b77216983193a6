import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { bundled } from './bundled.ts'

/** Processes that carry jobs out, and have nothing in common but what is stored. */
export interface FreshProcesses<Job extends object, Report> {
  /** Carries a job out in a process that has done none of this history. */
  run(history: string, job: Job): Promise<Report>
  close(): Promise<void>
}

/**
 * Starts a process for the first job of a history, another for the second, and so on. A process serves many histories,
 * one job at a time, since starting one takes longer than most jobs.
 *
 * @param program is sent each job as a message, and answers with a report; one that it cannot do ends it
 */
export function freshProcesses<Job extends object, Report>(program: string): FreshProcesses<Job, Report> {
  const processes: { readonly child: ChildProcess; last: Promise<unknown> }[] = []
  const done = new Map<string, number>()
  return {
    run(history, job) {
      const index = done.get(history) ?? 0
      done.set(history, index + 1)
      const worker = (processes[index] ??= {
        child: fork(bundled(program), { execArgv: ['--conditions=@repertoire/source'] }),
        last: Promise.resolve(),
      })
      const report = worker.last.then(async () => reportOf(worker.child, job))
      worker.last = report.catch(() => undefined)
      return report as Promise<Report>
    },
    async close() {
      await Promise.all(
        processes.map(async ({ child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const exited = once(child, 'exit')
          child.disconnect()
          await exited
        }),
      )
    },
  }
}

async function reportOf(child: ChildProcess, job: object): Promise<unknown> {
  const left = new AbortController()
  const { signal } = left
  const exit = once(child, 'exit', { signal }).then(([code, killed]) => {
    throw new Error(`The process ended with ${code ?? killed}.`)
  })
  child.send(job)
  const [report] = await Promise.race([once(child, 'message', { signal }), exit]).finally(() => left.abort())
  return report
}
