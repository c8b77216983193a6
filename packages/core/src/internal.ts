/** For Repertoire's own packages. It may change in any release. */
export { maskForSharing } from './audit/mask.ts'
