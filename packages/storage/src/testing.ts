export {
  sessionStoreCases,
  sessionStoreContract,
  type SessionStoreSubject,
  type SessionStoreTestFramework,
} from './testing/session-contract.ts'
export { type SessionStoreCase, type SessionStorePlace } from './testing/session-case.ts'
