import { applyArguments } from '../disclosure/arguments.ts'
import { type SkillDefinition, quote, quoteName, isObject, type Schema } from '@repertoire/skill-md/internal'
import type { ScriptFile, ScriptResult } from '../ports/script-runner.ts'
import { PLAN_WITH_PARAMETERS, type PlanStep, planOf } from './composite/plan.ts'
import { type PlanRun, runPlan, type PlanStepOutcome } from './composite/run.ts'
import { inlineScript } from './inline-script.ts'
import { resolveScriptLimits, type ScriptOptions } from './settings.ts'
import { type Parameters, readParameters } from './parameters/validate.ts'
import { checkScript, failed, type ScriptFailureCode, startScript } from './run-script.ts'
import { renderTemplate, templateProblem } from './template/render.ts'

/** A skill that is to be executed. */
export interface ExecutionRequest {
  readonly name: string
  readonly definition: SkillDefinition
  /** The skill's `parameters`. Absent: it takes any. */
  readonly parameters?: Schema | undefined
  /** What it is given: an object with the parameters by name; of an instruction its `args`, a text. Default: none. */
  readonly input?: unknown
  /** The skill's files, which its own script may use. Default: none. */
  readonly files?: readonly ScriptFile[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** What executing a skill came to, by its type. */
export type Execution =
  | { readonly type: 'instruction'; readonly name: string; readonly content: string }
  | { readonly type: 'template'; readonly name: string; readonly text: string }
  | {
      readonly type: 'composite'
      readonly name: string
      readonly plan: readonly PlanStep[]
      /** What carrying it out came to. Absent: it was not carried out. */
      readonly run?: PlanRun
    }
  | { readonly type: 'script'; readonly name: string; readonly interpreter: string; readonly result: ScriptResult }

/** Why a skill was not executed, or has no result. */
export type ExecutionFailureCode =
  /** What it was given does not fit its parameters. Nothing ran. */
  | 'INPUT_INVALID'
  /** Its template, plan or parameters cannot be used as they are written. Nothing ran. */
  | 'DEFINITION_INVALID'
  /** Its template could not be rendered with these parameters. */
  | 'TEMPLATE_FAILED'
  | ScriptFailureCode

/** Why there is no result. */
export interface ExecutionFailure {
  readonly ok: false
  readonly code: ExecutionFailureCode
  /** One or more sentences, for a model. */
  readonly reason: string
  /** What the host reads beside it: what failed, and what to do. Absent: the reason says all. */
  readonly detail?: string | undefined
}

/** The outcome of an execution. A script that fails, and a plan that stops at a step, are results too. */
export type ExecutionOutcome = { readonly ok: true; readonly value: Execution } | ExecutionFailure

/** Carries out one step of a plan, a call of a tool. What it throws is the step's failure. */
export type PlanStepRunner = (step: PlanStep, options: { readonly signal: AbortSignal }) => Promise<PlanStepOutcome>

/** What skills are executed with. */
export interface SkillExecutorOptions extends Omit<ScriptOptions, 'hooks' | 'environment'> {
  /** The complete environment of each script, but for what the runner sets. Default: empty. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Carries out the steps of plans. Absent: a composite skill's result is its plan. */
  readonly runStep?: PlanStepRunner | undefined
}

/** Executes skills by their type. */
export interface SkillExecutor {
  /** Returns why a skill would not be executed with this input; undefined: no reason is known. Nothing runs. */
  check(request: ExecutionRequest): Promise<ExecutionFailure | undefined>
  /**
   * Executes a skill: an instruction is returned, a template is rendered, a plan is returned or carried out, a script
   * is run.
   */
  execute(request: ExecutionRequest): Promise<ExecutionOutcome>
}

export function openExecutor(options: SkillExecutorOptions): SkillExecutor {
  return {
    async check(request) {
      const prepared = await prepare(request, options)
      return 'ok' in prepared ? prepared : undefined
    },
    async execute(request) {
      const prepared = await prepare(request, options)
      if ('ok' in prepared) return prepared
      request.signal?.throwIfAborted()
      return prepared.run()
    },
  }
}

interface PreparedExecution {
  readonly run: () => Promise<ExecutionOutcome>
}

async function readRequest({
  name,
  definition,
  parameters,
  input,
}: ExecutionRequest): Promise<{ readonly values: Parameters } | ExecutionFailure> {
  const problem = definitionProblem(definition)
  if (problem !== undefined) {
    return failed('DEFINITION_INVALID', `The skill ${quoteName(name)} cannot be used: ${problem}.`)
  }
  if (definition.type === 'instruction') return { values: {} }
  if (definition.type === 'composite' && parameters !== undefined) {
    return failed('DEFINITION_INVALID', `The skill ${quoteName(name)} cannot be used. ${PLAN_WITH_PARAMETERS}`)
  }
  const read = await readParameters(definition.type === 'composite' ? NO_PARAMETERS : parameters, input)
  if ('values' in read) return read
  if ('unusable' in read) {
    return failed('DEFINITION_INVALID', `The skill ${quoteName(name)} cannot be used: its parameters ${read.unusable}.`)
  }
  return failed(
    'INPUT_INVALID',
    `The skill ${quoteName(name)} was not executed, since its parameters do not fit: ${read.problems.join('; ')}.`,
  )
}

const NO_PARAMETERS: Schema = { type: 'object', properties: {}, additionalProperties: false }

/** Returns why a value is not the definition of a skill, as the end of a sentence; undefined if it is one. */
function definitionProblem(definition: unknown): string | undefined {
  if (!isObject(definition)) return 'it has no definition. Pass one, such as { type: "template", template: "…" }'
  const { type } = definition
  const names = typeof type === 'string' ? NAMES.get(type) : undefined
  if (names === undefined) {
    return `its type is ${quote(String(type))}. The types are instruction, composite, script and template`
  }
  const unknown = Object.keys(definition).find((name) => name !== 'type' && !names.includes(name))
  if (unknown !== undefined) {
    return `its definition has ${quote(unknown)}, which is not known. A definition of the type ${String(type)} has \`${names.join('` and `')}\``
  }
  const [text = '', ...optional] = names
  if (text !== 'steps' && typeof definition[text] !== 'string') return `its \`${text}\` is missing or is not a text`
  const wrong = optional.find((name) => definition[name] !== undefined && typeof definition[name] !== 'string')
  return wrong === undefined ? undefined : `its \`${wrong}\` is not a text`
}

/** What a definition of each type has: first what it cannot be without. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['instruction', ['content']],
  ['composite', ['steps']],
  ['script', ['script', 'language']],
  ['template', ['template']],
])

/** Checks a request, and returns what carries it out. Nothing runs. */
async function prepare(
  request: ExecutionRequest,
  options: SkillExecutorOptions,
): Promise<PreparedExecution | ExecutionFailure> {
  const read = await readRequest(request)
  if ('ok' in read) return read
  const { values } = read
  const { name, definition, parameters, signal = new AbortController().signal } = request
  const invalid = (why: string): ExecutionFailure =>
    failed('DEFINITION_INVALID', `The ${definition.type} skill ${quoteName(name)} cannot be used. ${why}`)
  switch (definition.type) {
    case 'template': {
      const { template } = definition
      const found = await templateProblem(template)
      if (found !== undefined) return invalid(`${inLine(found.line)}${found.problem}`)
      return { run: () => executeTemplate(name, template, { ...absentOf(parameters), ...values }) }
    }
    case 'composite': {
      const planned = planOf(definition.steps)
      if ('problem' in planned) return invalid(planned.problem)
      const { runStep } = options
      return {
        run: async () => {
          const run = runStep && (await runPlan(planned, runStep, signal))
          return { ok: true, value: { type: 'composite', name, plan: planned, run } }
        },
      }
    }
    case 'script':
      return prepareScript(request, definition, values, options)
    default: {
      const { args } = Object(request.input) as { readonly args?: unknown }
      const content = typeof args === 'string' ? applyArguments(definition.content, args) : definition.content
      return { run: async () => ({ ok: true, value: { type: 'instruction', name, content } }) }
    }
  }
}

async function executeTemplate(name: string, template: string, values: Parameters): Promise<ExecutionOutcome> {
  const rendered = await renderTemplate(template, values)
  if ('text' in rendered) return { ok: true, value: { type: 'template', name, text: rendered.text } }
  const why = `${inLine(rendered.line)}${rendered.problem}`
  return failed('TEMPLATE_FAILED', `The template of the skill ${quoteName(name)} was not rendered. ${why}`)
}

async function prepareScript(
  { name, parameters, files = [], signal }: ExecutionRequest,
  { script: text, language }: Extract<SkillDefinition, { type: 'script' }>,
  values: Parameters,
  { runner, limits, environment, network }: SkillExecutorOptions,
): Promise<PreparedExecution | ExecutionFailure> {
  const script =
    text.trim() === ''
      ? { problem: 'Its `script` is empty.' }
      : inlineScript(text, language, { values, hasSchema: parameters !== undefined, files })
  if ('problem' in script) return failed('SCRIPT_UNAVAILABLE', `${quoteName(name)} cannot be run. ${script.problem}`)
  if (runner === undefined) {
    return failed(
      'SCRIPT_UNAVAILABLE',
      `The skill ${quoteName(name)} is a script, and nothing here runs scripts. Go on without it.`,
      'The option `scripts.runner` of `openRepertoire` is needed to run it.',
    )
  }
  const interpreter = await checkScript({ runner, ...script })
  if ('ok' in interpreter) return interpreter
  return {
    run: async () => {
      const run = { runner, ...script, environment: { ...environment, ...script.environment }, network, signal }
      const outcome = await startScript({ ...run, limits: resolveScriptLimits(limits) }, interpreter)
      signal?.throwIfAborted()
      if (!outcome.ok) return outcome
      return { ok: true, value: { type: 'script', name, interpreter: outcome.interpreter, result: outcome.result } }
    },
  }
}

/** Parameters that the skill names and that were not given are known, and empty. */
function absentOf(schema: Schema | undefined): Parameters {
  return Object.fromEntries(Object.keys(Object(schema?.['properties']) as object).map((key) => [key, null]))
}

function inLine(line: number | undefined): string {
  return line === undefined ? '' : `Line ${line} of its template: `
}
