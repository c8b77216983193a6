import type { Summarizer } from '@repertoire/core'
import { systemPrompt, type WindowCall, type WindowMessage } from '@repertoire/core/adapter'
import { generateText, type LanguageModel } from 'ai'
import { type CallOptions, CONVERSATION, settingsOf } from './call-settings.ts'
import type { SkillStep } from './steps.ts'
import { isOwn } from './turn.ts'

type Prompt = CallOptions['prompt']
type PromptMessage = Prompt[number]
type Spoken = Exclude<PromptMessage, { role: 'system' }>
type Part = Exclude<Spoken['content'], string>[number]
type Output = Extract<Part, { type: 'tool-result' }>['output']

/**
 * Returns the prompt that is sent in the place of another one: kept to the model's window, with what it has lost of
 * active skills. Messages that stay are the same objects.
 * @param model makes summaries, without tools, and not in the stream of the run
 * @throws the signal's reason
 */
export async function promptOf(step: SkillStep, call: CallOptions, model: LanguageModel): Promise<Prompt> {
  const own = call.prompt.filter((message) => message.role === 'system')
  const system = systemPrompt(own)
  const spoken = call.prompt.filter((message): message is Spoken => message.role !== 'system')
  const sent = await step.prompt<PromptMessage>({
    system: system.text,
    tools: (call.tools ?? []).map((tool) => JSON.stringify(tool)),
    messages: spoken,
    describe: (message) => windowMessage(message as Spoken),
    asMessage: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
    summarize: summarizerOf(model, call),
    chained: isChained(call),
    signal: call.abortSignal,
  })
  const said = system.messages(sent.system)
  // A host may have written system messages between the others.
  if (sent.messages !== spoken || said.length !== own.length) return [...said, ...sent.messages]
  return call.prompt.map((message) => (message.role === 'system' ? said[own.indexOf(message)]! : message))
}

function summarizerOf(model: LanguageModel, call: CallOptions): Summarizer {
  return async ({ instructions, prompt }, { signal }) => {
    // The run waits for it, and can go on without a summary.
    const settings = { ...settingsOf(call), abortSignal: signal, maxRetries: 0 }
    const { text, usage, finishReason } = await generateText({ ...settings, model, system: instructions, prompt })
    if (finishReason === 'content-filter' || finishReason === 'error') {
      throw new Error(`The model did not write a summary (${finishReason}).`)
    }
    const { inputTokens, outputTokens } = usage
    return { text, usage: { inputTokens, outputTokens } }
  }
}

/** Whether the provider keeps the conversation: what is sent here is only its newest part. */
function isChained({ providerOptions = {} }: CallOptions): boolean {
  return Object.values(providerOptions).some((options) =>
    CONVERSATION.some((name) => options?.[name] !== undefined && options[name] !== null),
  )
}

/** Whether the provider has summarised what stands before a message. */
function isCompaction({ role, content }: PromptMessage): boolean {
  if (role !== 'assistant') return false
  return content.some(
    (part) =>
      (part.type === 'custom' && part.kind.endsWith('.compaction')) ||
      Object.values(part.providerOptions ?? {}).some((options) => options?.['type'] === 'compaction'),
  )
}

function windowMessage(message: Spoken): WindowMessage {
  const texts: string[] = []
  const hidden: string[] = []
  const calls: WindowCall[] = []
  const answers: string[] = []
  let files = 0
  for (const part of message.content as readonly Part[]) {
    if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'tool-call') calls.push({ id: part.toolCallId, tool: part.toolName, input: part.input })
    else if (part.type === 'tool-result') {
      // Also in the model's own message: some providers carry out a call and give its result with a later answer.
      answers.push(part.toolCallId)
      texts.push(...textsOf(part.output))
      files += filesOf(part.output)
    } else if (part.type === 'file' && part.data.type === 'text') texts.push(part.data.text)
    else if (part.type === 'file' || part.type === 'reasoning-file') files += 1
    else if (part.type !== 'tool-approval-response') hidden.push(JSON.stringify(part))
  }
  const more = { hidden: hidden.join('\n') || undefined, files: files || undefined, compaction: isCompaction(message) }
  return { role: message.role, text: texts.join('\n'), calls, answers, own: isOwn(message), ...more }
}

function textsOf(output: Output): readonly string[] {
  if (output.type === 'text' || output.type === 'error-text') return [output.value]
  if (output.type === 'execution-denied') return [output.reason ?? '']
  if (output.type !== 'content') return [JSON.stringify(output.value)]
  return output.value.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'file' && part.data.type === 'text' ? [part.data.text] : []
  })
}

function filesOf(output: Output): number {
  if (output.type !== 'content') return 0
  return output.value.filter((part) => part.type === 'file' && part.data.type !== 'text').length
}
