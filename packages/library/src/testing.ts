export { storeContract, type StorePlace } from './testing/contract.ts'
