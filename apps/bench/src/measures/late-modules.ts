import { registerHooks } from 'node:module'
import type { Contestant } from '../contestants/contestant.ts'
import type { Answers } from '../job.ts'

/** Which modules the first scan imports: they are part of its time. Not timed itself. */
export async function lateModules({ scan }: Contestant): Promise<Answers['lateModules']> {
  const urls: string[] = []
  const hooks = registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) urls.push(url)
      return next(url, context)
    },
  })
  try {
    await scan()
  } finally {
    hooks.deregister()
  }
  return { urls }
}
