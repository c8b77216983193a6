export type { StoreCase, StoreCaseContext } from './testing/case.ts'
export {
  storeCases,
  storeContract,
  type StorePlace,
  type StoreSubject,
  type StoreTestFramework,
} from './testing/contract.ts'
