import { useEffect, useState } from 'preact/hooks'
import { ask } from '../client.ts'
import { overview } from '../state.ts'
import type { Answers } from '../worker.ts'

/** What the worker answers for the run, asked again when events come. Undefined: not yet. */
export function useAnswer<What extends keyof Answers>(
  what: What,
  ...args: Parameters<Answers[What]>
): Awaited<ReturnType<Answers[What]>> | undefined {
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value: Awaited<ReturnType<Answers[What]>> }>()
  const asked = JSON.stringify([what, args])
  const size = overview.value?.events
  useEffect(() => {
    let isCurrent = true
    void ask(what, ...args).then((value) => {
      if (isCurrent) setAnswer({ key: asked, value: value as Awaited<ReturnType<Answers[What]>> })
    })
    return () => {
      isCurrent = false
    }
  }, [asked, size])
  return answer?.key === asked ? answer.value : undefined
}
