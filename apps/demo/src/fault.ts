import type { AdapterDriver } from '@repertoire/conformance'
import type { Repertoire, Session } from '@repertoire/core'
import type { AdapterSession } from '@repertoire/core/adapter'

/** What the adapter of `--break` does wrong, as people read it. */
export const FAULT = 'it runs calls that the gate refused'

/** Returns the adapter with the fault: it runs host tools although `session.call` refused them. */
export function ungated(driver: AdapterDriver): AdapterDriver {
  return { ...driver, start: (task) => driver.start({ ...task, repertoire: openDoor(task.repertoire) }) }
}

/** Says that no call is refused. */
const inspect: AdapterSession['inspect'] = () =>
  Promise.resolve({ refusal: undefined, preapproved: false, asks: false })

function openDoor(repertoire: Repertoire): Repertoire {
  return {
    ...repertoire,
    openSession(options) {
      const session = repertoire.openSession(options)
      const call: Session['call'] = async (asked, execute, more) => {
        const outcome = await session.call(asked, execute, more)
        if (outcome.ok || outcome.refusal.code !== 'TOOL_NOT_ALLOWED') return outcome
        // A session without active skills restricts nothing. Opening one for each call is an easy mistake.
        const fresh = repertoire.openSession({ ...options, id: session.id, saved: undefined })
        try {
          return await fresh.call(asked, execute, more)
        } finally {
          await fresh.end()
        }
      }
      const broken = new Map<string | symbol, unknown>(Object.entries({ call, inspect }))
      // A getter does not survive a spread.
      return new Proxy(session, { get: (target, key) => broken.get(key) ?? Reflect.get(target, key) })
    },
  }
}
