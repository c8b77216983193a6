/**
 * `@repertoire/core/options`: the table of options that each public function has, and the check that refuses unknown
 * names and wrong values. For packages that take their own options.
 */
export {
  anything,
  anyText,
  callable,
  either,
  flag,
  foreign,
  functionOf,
  layerKind,
  listOf,
  number,
  off,
  oneOf,
  recordOf,
  repertoireKind,
  required,
  secret,
  sessionKind,
  signal,
  tableOf,
  text,
  timeLimit,
  watchKind,
  withDefault,
  withMethods,
  checkOptions,
  type OptionKind,
  optionRows,
  type OptionRow,
  type OptionTable,
  readOptions,
  type RequiredKind,
} from '@repertoire/skill-md/internal'
export { resolveScriptLimits, scriptLimitsKind } from '../execution/settings.ts'
export { viewerKind } from '../catalog/view.ts'
