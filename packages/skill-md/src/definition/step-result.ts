/** Where the parameters of a step use what an earlier step has returned: `{{ steps.look.result.files.0 }}`. */
export interface ResultReference {
  /** The name of the step. */
  readonly step: string
  /** Properties of its result, from the outermost. */
  readonly path: readonly string[]
}

/** What may stand in for a value in the parameters of a step; `{{ '{{' }}` stands for two braces. */
export const PLACEHOLDER = /\{\{\s{0,8}([^\s{}]{1,200}|'\{\{')\s{0,8}\}\}/g

/** The placeholder of two literal braces. */
export const BRACES = "'{{'"

const STEP_NAME = /^[A-Za-z][\w-]{0,63}$/
const REFERENCE = /^steps\.([A-Za-z][\w-]{0,63})\.result((?:\.[^.\s{}]{1,80}){0,16})$/

/** Whether a step may have a name. */
export function isStepName(name: string): boolean {
  return STEP_NAME.test(name)
}

/** Reads what stands in a placeholder; undefined where it is not the result of a step. */
export function readReference(placeholder: string): ResultReference | undefined {
  const [, step, path = ''] = REFERENCE.exec(placeholder) ?? []
  return step === undefined ? undefined : { step, path: path.split('.').slice(1) }
}

/** Yields the steps whose results a value uses, at any depth. */
export function* stepsUsedIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    for (const [, placeholder = ''] of value.matchAll(PLACEHOLDER)) {
      const reference = readReference(placeholder)
      if (reference !== undefined) yield reference.step
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* stepsUsedIn(part)
  }
}
