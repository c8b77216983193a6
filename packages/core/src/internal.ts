/** For Repertoire's own packages. It may change in any release. */
export { maskForSharing, maskWhole } from './audit/mask.ts'
export { unboundedText } from '@repertoire/gate/internal'
export { markLines } from './text/marked-lines.ts'
export { dropTyped } from './text/typed.ts'
export { createWordReader } from './search/words.ts'
export { untilAborted } from './time-limit.ts'
