import { callable, checkOptions, required, text } from '@repertoire/core/options'
import { leaseCases } from './lease-cases.ts'
import { recordCases } from './record-cases.ts'
import type { SessionStoreCase, SessionStorePlace } from './session-case.ts'

/** A kind of session store to hold to the contract. */
export interface SessionStoreSubject {
  readonly name: string
  /** Creates an empty place. Each case gets its own place. */
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
