import type { TokenUsage } from '../../audit/events.ts'
import type { WindowContext } from '../context.ts'
import type { WindowRequest, WindowFit, FitContext } from './request.ts'

/** The window of one session. */
export interface SessionWindow {
  readonly fit: (request: () => WindowRequest) => Promise<WindowFit | undefined>
  readonly noteUsage: (usage: TokenUsage) => void
}

/** Creates the window of one session. Without settings it changes nothing, and nothing is imported for it. */
export function createSessionWindow(
  context: Omit<FitContext, 'window'> & { readonly window: WindowContext | undefined },
): SessionWindow {
  const { window, state } = context
  if (window === undefined) return { fit: () => UNCHANGED, noteUsage: () => undefined }
  return {
    async fit(request) {
      const asked = request()
      const { fitWindow } = await import('./fit.ts')
      return fitWindow({ ...context, window }, asked)
    },
    noteUsage: ({ inputTokens }) => window.memory.noteUsage(state.current().id, inputTokens),
  }
}

const UNCHANGED = Promise.resolve(undefined)
