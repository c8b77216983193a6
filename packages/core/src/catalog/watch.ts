import { type Diagnostic, quoteName } from '@repertoire/skill-md/internal'
import type { SkillSource, SourceWatch } from '../ports/source.ts'
import { messageOf } from '../text/message.ts'
import { inTime } from '../time-limit.ts'

/** How changes of watched sources are grouped into reloads. */
export interface WatchOptions {
  /**
   * How long no change may arrive before a reload, in milliseconds. Default 200. Where changes go on and on, there is
   * one after ten times as long.
   */
  readonly debounce?: number | undefined
}

const DEBOUNCE_MS = 200

/**
 * Watches every source that can be watched and requests a reload when no further changes arrive.
 * @param timeoutMs how long a source may take to begin or to end its watch
 */
export async function watchSources(
  sources: readonly SkillSource[],
  target: { reload(): Promise<unknown>; report(diagnostic: Diagnostic): void },
  { debounce = DEBOUNCE_MS }: WatchOptions,
  timeoutMs: number,
): Promise<SourceWatch> {
  let isClosed = false
  let quiet: Timer | undefined
  let latest: Timer | undefined

  const stop = (): void => {
    clearTimeout(quiet)
    clearTimeout(latest)
    quiet = latest = undefined
  }
  const reload = async (): Promise<void> => {
    stop()
    try {
      await target.reload()
    } catch (error) {
      if (!isClosed) target.report(reloadFailed(error))
    }
  }
  const changed = (): void => {
    if (isClosed) return
    clearTimeout(quiet)
    quiet = later(() => void reload(), debounce)
    latest ??= later(() => void reload(), debounce * 10)
  }
  const report = (diagnostic: Diagnostic): void => {
    if (!isClosed) target.report(diagnostic)
  }
  const watches = await Promise.all(
    sources.map(async (source) => {
      let starting: Promise<SourceWatch> | undefined
      try {
        starting = source.watch?.({ changed, diagnostic: report })
        return starting && (await inTime(starting, timeoutMs, 'Its watch'))
      } catch (error) {
        // One that begins later is not wanted any more.
        starting?.then((late) => late.close()).catch(() => undefined)
        report(watchFailed(source.id, error))
        return undefined
      }
    }),
  )
  return {
    async close() {
      isClosed = true
      stop()
      await Promise.all(watches.map(async (watch) => watch && inTime(watch.close(), timeoutMs, 'The end of a watch')))
    },
  }
}

type Timer = ReturnType<typeof setTimeout>

/** Returns a timer that does not keep the process alive. In browsers a timer is a number, which cannot. */
function later(work: () => void, delay: number): Timer {
  const timer = setTimeout(work, delay)
  if (typeof timer === 'object') timer.unref()
  return timer
}

function reloadFailed(error: unknown): Diagnostic {
  return {
    code: 'RELOAD_FAILED',
    severity: 'error',
    path: '',
    message: `A source has changed, and the reload failed: ${messageOf(error)}`,
    hint: 'The catalog is the one before. Fix the cause and reload.',
  }
}

function watchFailed(source: string, error: unknown): Diagnostic {
  return {
    code: 'WATCH_FAILED',
    severity: 'warning',
    path: source,
    message: `The source ${quoteName(source)} cannot be watched: ${messageOf(error)}`,
    hint: 'Call `reload` after a change of it.',
  }
}
