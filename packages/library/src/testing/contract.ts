import { callable, checkOptions, required, text } from '@repertoire/core/options'
import type { SkillStore } from '@repertoire/core'
import type { StoreCase } from './case.ts'
import { keepingCases } from './cases/keeping.ts'
import { writingCases } from './cases/writing.ts'

/** A store to hold to the contract. */
export interface StoreSubject {
  readonly name: string
  /** Creates an empty place, such as a folder or a namespace. Each case gets its own place. */
  readonly prepare: () => StorePlace | Promise<StorePlace>
}

/** Where the skills of one case are stored. */
export interface StorePlace {
  /** Opens the store of that place. Each call returns an independent store, as in several processes. */
  readonly open: () => SkillStore | Promise<SkillStore>
  /** Removes everything. */
  readonly remove?: () => Promise<void>
}

/** The functions of a test framework: vitest's, Jest's, or `describe` and `it` of `node:test`. */
export interface StoreTestFramework {
  readonly describe: (name: string, declare: () => void) => unknown
  readonly it: (title: string, run: () => Promise<void>) => unknown
}

/** Every sentence of the contract. */
export const storeCases: readonly StoreCase[] = [...keepingCases, ...writingCases]

/** Declares a suite that holds a store to the contract of the port: one test for each sentence. */
export function storeContract(subject: StoreSubject, { describe, it }: StoreTestFramework): void {
  checkOptions<StoreSubject>('storeContract', { name: required(text), prepare: required(callable) }, subject)
  const { name, prepare } = subject
  describe(`the contract of stores: ${name}`, () => {
    for (const testCase of storeCases) {
      it(testCase.title, async () => {
        const place = await prepare()
        try {
          await testCase.run({ store: await place.open(), again: async () => place.open() })
        } finally {
          await place.remove?.()
        }
      })
    }
  })
}
