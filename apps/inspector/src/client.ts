import workerSource from 'virtual:worker'
import type { Answered, Answers, Asked, Told } from './worker.ts'

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

const waiting = new Map<number, Waiting>()
const listeners = new Set<(told: Told) => void>()
let next = 1

// The page's policy forbids scripts from texts. This one is part of the page's own script, whose hash is in the policy.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('inspector', {
  createScriptURL: (url) => url,
})
const address = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
const worker = new Worker((policy?.createScriptURL(address) ?? address) as string)
URL.revokeObjectURL(address)

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown } | undefined
}

worker.addEventListener('message', ({ data }: MessageEvent<Told | Answered>) => {
  if (!('id' in data)) {
    for (const listener of listeners) listener(data)
    return
  }
  const asked = waiting.get(data.id)
  waiting.delete(data.id)
  if ('problem' in data) asked?.reject(new Error(data.problem))
  else asked?.resolve(data.value as never)
})

/** Asks the worker, which holds the logs. */
export function ask<What extends keyof Answers>(
  what: What,
  ...args: Parameters<Answers[What]>
): ReturnType<Answers[What]> {
  const id = next++
  const answer = new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
  })
  // A worker's messages have no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage({ id, what, args } satisfies Asked)
  return answer as ReturnType<Answers[What]>
}

/** Calls a function with everything that the worker says without being asked. */
export function listen(listener: (told: Told) => void): void {
  listeners.add(listener)
}
