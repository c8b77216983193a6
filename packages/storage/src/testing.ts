export {
  sessionStoreCases,
  sessionStoreContract,
  type SessionStoreCase,
  type SessionStorePlace,
  type SessionStoreSubject,
  type SessionStoreTestFramework,
} from './testing/session-contract.ts'
