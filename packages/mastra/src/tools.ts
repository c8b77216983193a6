import { DEFAULT_TOOL_NAMES } from '@repertoire/core'
import {
  CARRIER,
  failureText,
  recordDecision,
  resultText,
  standsFor,
  UNATTENDED_REASON,
  unattendedError,
} from '@repertoire/core/adapter'
import type { RequestContext } from '@mastra/core/request-context'
import type { CoreTool } from '@mastra/core/tools'
import { APPROVAL, type Binding, Held, type RunOptions, stepOf } from './binding.ts'
import { NOTHING_SAID } from './prompt.ts'

/** What Mastra passes to a tool. */
type ToolOptions = Parameters<NonNullable<CoreTool['execute']>>[1]

type NeedsApproval = (input: unknown, context: object) => boolean | Promise<boolean>

type Tool = CoreTool & {
  /** A function: the tool has come from a processor or from `prepareStep`. */
  readonly requireApproval?: boolean | NeedsApproval
  readonly needsApprovalFn?: NeedsApproval | undefined
  readonly hasSuspendSchema?: boolean
}

/** Mastra waits a moment longer for tools that have this property. With it, calls are carried out in their order. */
const NO_HOOK = { onInputAvailable: undefined }

const GATED = new WeakSet<object>()
const SCHEMA = Symbol.for('vercel.ai.schema')

/** Tools behind the gate, and after them the skill tools that models have been shown. */
export function gatedTools(binding: Binding, tools: Readonly<Record<string, unknown>>): Record<string, CoreTool> {
  const host = Object.entries(tools as Record<string, CoreTool>).filter(([name]) => !isOurs(binding, name))
  const skills = [...binding.skillTools.keys(), CARRIER].map((name) => [name, skillTool(binding, name)] as const)
  return Object.fromEntries([...host.map(([name, tool]) => [name, gated(binding, name, tool)] as const), ...skills])
}

/** Whether a tool is one of the session's. */
export function isOurs({ skillTools }: Binding, name: string): boolean {
  return name === CARRIER || skillTools.has(name)
}

/**
 * Carries a call out in the session, after everything was asked that a person must decide. While it waits, nothing is
 * returned.
 * @param run carries the tool out
 */
async function inSession(
  first: Binding,
  name: string,
  input: unknown,
  options: ToolOptions,
  run: (input: unknown, options: ToolOptions) => unknown,
  approval?: () => Promise<boolean>,
): Promise<unknown> {
  // Mastra keeps the tools of a run that waits, and the session may have been opened again since.
  const binding = Held.in(options.requestContext) ?? first
  if (binding !== first && binding.runId !== undefined && binding.runId === first.runId) first.next = binding
  const { session, unattended } = binding
  const step = await stepOf(binding, first.hostTools)
  const { toolCallId: id, abortSignal: signal } = options
  const made = { id, tool: name, input }
  const { meant: call, turn } = standsFor(made)
  const resumed = binding.resumed?.toolCallId === id ? binding.resumed : undefined
  const decision = resumed?.decision
  for (const part of binding.beside.splice(0)) await options.outputWriter?.(part)
  if (decision !== undefined) await recordDecision(session, step, made, decision)
  const readied = binding.readied.get(id) ?? (await step.preview(made, { asks: true }))
  binding.readied.delete(id)
  const mayWait = readied.approvable === true && approval !== undefined && (await approval())
  // A call that its tool suspended was approved before that.
  if (readied.waits !== undefined || (mayWait && !unattended && resumed === undefined)) {
    const { tool: toolName, input: args } = turn === undefined ? call : { tool: DEFAULT_TOOL_NAMES.activate, input }
    await options.suspend?.({}, { requireToolApproval: { toolCallId: id, toolName, args } })
    return undefined
  }
  const given = { signal, fork: binding.fork }
  if (turn !== undefined)
    return said(binding, (await session.beginTurn(turn.message, { ...given, id: turn.id })).text ?? NOTHING_SAID)
  let waits = false
  const outcome = await step.call(
    call,
    (judged) => {
      if (mayWait && unattended) throw new Error(`The call was not run: ${UNATTENDED_REASON}. Go on without it.`)
      return run(judged.input, {
        ...options,
        suspend: (...payload: Parameters<NonNullable<ToolOptions['suspend']>>) => {
          if (unattended) throw unattendedError(name)
          waits = true
          return options.suspend?.(...payload)
        },
      } as ToolOptions)
    },
    given,
  )
  if (waits) return undefined
  if (outcome.text !== undefined) return said(binding, outcome.text)
  const value = outcome.ok ? outcome.value : undefined
  // Mastra takes no result for one that is to come.
  return value ?? resultText(value)
}

function said({ texts }: Binding, text: string): string {
  texts.add(text)
  return text
}

/** A host's tool, every run of which passes the session. */
function gated(binding: Binding, name: string, given: CoreTool): CoreTool {
  if (GATED.has(given) || given.execute === undefined) return given
  const tool = given as Tool
  const { execute, toModelOutput, hasSuspendSchema } = tool
  const mayAsk = (context: RequestContext<any> | undefined): boolean =>
    tool.needsApprovalFn !== undefined || Boolean(tool.requireApproval) || Boolean(context?.get(APPROVAL))
  const made = {
    ...NO_HOOK,
    ...tool,
    // Calls run one by one where one may wait, as Mastra has it.
    get hasSuspendSchema() {
      return hasSuspendSchema === true || mayAsk(binding.context)
    },
    requireApproval: false,
    needsApprovalFn: undefined,
    ...(toModelOutput && {
      toModelOutput: (output: unknown) => (binding.texts.has(String(output)) ? undefined : toModelOutput(output)),
    }),
    execute: async (input: unknown, passed: ToolOptions) => {
      // Mastra passes this to a tool that has come from a processor or from `prepareStep`.
      const { agent } = passed as unknown as { readonly agent?: object }
      const options: ToolOptions = { ...passed, ...agent }
      const approval = mayAsk(options.requestContext)
        ? (): Promise<boolean> => needsApproval(name, tool, input, options)
        : undefined
      try {
        const run = (args: unknown, own: ToolOptions): unknown =>
          execute!(args, agent === undefined ? own : ({ ...own, agent: { ...agent, suspend: own.suspend } } as never))
        return await inSession(binding, name, input, options, run, approval)
      } catch (error) {
        if (options.abortSignal?.aborted === true) throw error
        throw new Error(failureText(plain(error)), { cause: error })
      }
    },
  } as Tool
  GATED.add(made)
  return made
}

/** Mastra puts the error of a tool into one of its own. */
function plain(error: unknown): unknown {
  const { cause, id } = error as { readonly cause?: unknown; readonly id?: unknown }
  return id === 'TOOL_EXECUTION_FAILED' && cause !== undefined ? cause : error
}

/** Decides as Mastra does: the tool's own function comes first, and a function that throws asks. */
async function needsApproval(
  toolName: string,
  { requireApproval, needsApprovalFn }: Tool,
  args: unknown,
  { requestContext, workspace }: ToolOptions,
): Promise<boolean> {
  const requireToolApproval: RunOptions['requireToolApproval'] = requestContext?.get(APPROVAL)
  const context = { args, requestContext: Object.fromEntries(requestContext?.entries() ?? []), workspace }
  try {
    const decides = needsApprovalFn ?? (typeof requireApproval === 'function' ? requireApproval : undefined)
    if (decides !== undefined) return await decides(args, context)
    if (typeof requireToolApproval !== 'function') return requireToolApproval === true || requireApproval === true
    return (await requireToolApproval({ toolName, ...context } as never)) || requireApproval === true
  } catch {
    return true
  }
}

function skillTool(binding: Binding, name: string): CoreTool {
  const { description = '', inputSchema = { type: 'object' } } = binding.skillTools.get(name) ?? {}
  const schema = { [SCHEMA]: true, jsonSchema: inputSchema, validate: undefined }
  const execute = (input: unknown, options: ToolOptions): Promise<unknown> =>
    inSession(binding, name, input, options, () => undefined)
  return {
    ...NO_HOOK,
    type: 'function',
    id: name,
    description,
    parameters: schema,
    inputSchema: schema,
    execute,
  } as never
}
