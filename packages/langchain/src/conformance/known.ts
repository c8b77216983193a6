const NO_REASONING =
  "OpenAI's own chat completions show no reasoning: `@langchain/openai` does not read `reasoning_content`, and sends none back. Use Responses."

const REFUSED = '`@langchain/openai` drops the text of a refusal in a chat completion.'

export const OPENAI_CHAT = {
  'errors-answer-ends/ended': REFUSED,
  'errors-answer-ends/history': REFUSED,
  'history-reasoning': NO_REASONING,
  'history-reasoning-answers': NO_REASONING,
  'forks-history/history': NO_REASONING,
  'window-reasoning': NO_REASONING,
}

export const GEMINI = {
  'errors-odd-arguments':
    "Gemini's protocol cannot express arguments that are null: such a call has no arguments, and runs with {}.",
  'listing-awkward/offeredTools':
    '`@langchain/google` leaves `$defs` and `additionalProperties` out of the schemas of tools.',
  'history-files': '`@langchain/google` sends a file that a model made back with a field that Gemini refuses.',
  'history-reasoning-answers':
    '`@langchain/google` does not send back the signature of a text, which Gemini does not require. Signatures of calls are sent back.',
}

export const COUNTED = 'The signature of reasoning is counted with it, and takes more of the window than the words.'

export const ANTHROPIC_STREAM = {
  '*/usage':
    '`@langchain/anthropic` adds the output tokens of the first event of a stream to those of the last, which include them.',
  'window-reasoning': COUNTED,
}

const UNSAID = 'Nothing is said of an invocation that a person wrote on instead of answering.'
const APART = 'Each call of a message has a session of its own, so that two activations both come with the guidance.'
const AGAIN = 'Each call of a message has a session of its own, and each session reports a failing sink.'
const WITHOUT = 'A call is carried out while another one of its message waits.'

const BESIDE =
  'Behind another message, LangGraph has lost the result of a call that ran while another one of its message waited.'

/** What differs in every variant. */
export const KNOWN: Readonly<Record<string, string>> = {
  'cleanup-ended-fork': 'A run has a session of its own, and the end of a task stops no run.',
  'forks-in-forks': 'The sub-agent of a sub-agent has the model of the agent, and not of the sub-agent that calls it.',
  'forks-endless/results': 'A sub-agent of this driver may make ten model calls.',
  'errors-odd-arguments/auditEvents': 'LangChain parses arguments without a key such as `__proto__`.',
}

/** What differs with a checkpointer. */
export const SAVED: Readonly<Record<string, string>> = {
  'gate-stack/results': APART,
  'consent-handler/results': APART,
  'consent-suspends/results': APART,
  'errors-endpoint/results': APART,
  'options-modes/problems': AGAIN,
  'cleanup-left-waiting': WITHOUT,
  'consent-instead/turnTexts': UNSAID,
  'consent-instead/history': UNSAID,
  'consent-instead-of-one/results': BESIDE,
  'consent-approval-beside': 'LangChain carries out no call of a message of which a person has denied one.',
}
