import { approvalResponses, consentRequests, type SkillsSettings } from '@repertoire/ai-sdk'
import type { ConsentAnswer, Session } from '@repertoire/core'
import { isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'

type Skills = SkillsSettings<{}>

/** Runs the conversation on, and returns the requests that it now waits for. */
export async function runOn(model: LanguageModel, session: Session, skills: Skills, messages: ModelMessage[]) {
  const result = streamText({ model, messages, stopWhen: isStepCount(20), ...skills })
  for await (const text of result.textStream) process.stdout.write(text)
  messages.push(...(await result.responseMessages))
  return (await consentRequests(session, messages)).map(({ request }) => request)
}

/** Later, also in another process with stored `messages` and `openSession({ saved })`. */
export async function addAnswers(session: Session, messages: ModelMessage[], answers: ConsentAnswer[]) {
  messages.push(approvalResponses(await consentRequests(session, messages), answers))
}
