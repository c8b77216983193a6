import { callable, checkOptions, required, text } from '@repertoire/core/options'
import type { SkillStore } from '@repertoire/core'
import { keepingCases } from './cases/keeping.ts'
import { writingCases } from './cases/writing.ts'

/** Where the skills of one case are stored. */
export interface StorePlace {
  /** Opens the store of that place. Each call returns an independent store, as in several processes. */
  readonly open: () => SkillStore | Promise<SkillStore>
  /** Removes everything. */
  readonly remove?: () => Promise<void>
}

/**
 * Declares a suite that holds a store to the contract of the port: one test for each sentence.
 * @param subject `prepare` creates an empty place, such as a folder or a namespace; each case gets its own
 * @param framework vitest's functions, Jest's, or `describe` and `it` of `node:test`
 */
export function storeContract(
  subject: { readonly name: string; readonly prepare: () => StorePlace | Promise<StorePlace> },
  framework: {
    readonly describe: (name: string, declare: () => void) => unknown
    readonly it: (title: string, run: () => Promise<void>) => unknown
  },
): void {
  checkOptions<typeof subject>('storeContract', { name: required(text), prepare: required(callable) }, subject)
  const { name, prepare } = subject
  framework.describe(`the contract of stores: ${name}`, () => {
    for (const { title, run } of [...keepingCases, ...writingCases]) {
      framework.it(title, async () => {
        const place = await prepare()
        try {
          await run({ store: await place.open(), again: async () => place.open() })
        } finally {
          await place.remove?.()
        }
      })
    }
  })
}
