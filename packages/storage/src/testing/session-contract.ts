import { callable, checkOptions, required, text } from '@repertoire/core/options'
import type { SessionStore } from '@repertoire/core'
import { leaseCases } from './lease-cases.ts'
import { recordCases } from './record-cases.ts'

/** One sentence of the contract of `SessionStore`. */
export interface SessionStoreCase {
  /** Begins with the ids of the requirements. */
  readonly title: string
  /** @throws {Error} the store does not keep it */
  run(place: SessionStorePlace): Promise<void>
}

/** Where the sessions of one case are kept. */
export interface SessionStorePlace {
  /** Opens what is stored there. Called several times: each is a store of its own, as in several processes. */
  readonly open: (tenant: string) => SessionStore | Promise<SessionStore>
  /** Removes everything. */
  readonly remove?: () => Promise<void>
}

/** A kind of session store to hold to the contract. */
export interface SessionStoreSubject {
  readonly name: string
  /** Makes a place in which nothing is stored. Each case has one of its own. */
  readonly prepare: () => SessionStorePlace | Promise<SessionStorePlace>
}

/** The functions of a test framework: vitest's, Jest's, or `describe` and `it` of `node:test`. */
export interface SessionStoreTestFramework {
  readonly describe: (name: string, declare: () => void) => unknown
  readonly it: (title: string, run: () => Promise<void>) => unknown
}

/** Every sentence of the contract. */
export const sessionStoreCases: readonly SessionStoreCase[] = [...recordCases, ...leaseCases]

/** Declares a suite that holds a session store to the contract of the port: one test for each sentence. */
export function sessionStoreContract(subject: SessionStoreSubject, { describe, it }: SessionStoreTestFramework): void {
  checkOptions<SessionStoreSubject>(
    'sessionStoreContract',
    { name: required(text), prepare: required(callable) },
    subject,
  )
  const { name, prepare } = subject
  describe(`the contract of session stores: ${name}`, () => {
    for (const testCase of sessionStoreCases) {
      it(testCase.title, async () => {
        const place = await prepare()
        try {
          await testCase.run(place)
        } finally {
          await place.remove?.()
        }
      })
    }
  })
}
