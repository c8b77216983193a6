/**
 * What a session works with once something is to be carried out: a call, an activation, a question. A program that lists
 * skills and shows them needs none of it. See `lazy-work.ts`.
 */
export { activate } from './activation/activate.ts'
export { commitActivation } from './activation/commit.ts'
export { deactivate, removeSkill } from './activation/deactivate.ts'
export { unmountSkill } from './activation/mount.ts'
export { activationConsentRequest } from './activation/prepare.ts'
export { gateCall, isPreapproved } from './calls/gate-call.ts'
export { readSkillResource } from './calls/read-resource.ts'
export { runHostTool } from './calls/run-host-tool.ts'
export { searchSkills } from './calls/search-skills.ts'
export { ask, MAX_QUESTIONS } from './consent/ask.ts'
export { obtainCallConsent, openCallRequest } from './consent/call-consent.ts'
export { saveSession } from './consent/checkpoint.ts'
export { runChild } from './fork/run-child.ts'
export { inspectSkill } from './inspect-skill.ts'
export { reportUntrusted } from './toolsets/bring.ts'
export { readTools } from './toolsets/read-tools.ts'
export { runBroughtTool } from './toolsets/run-tool.ts'
export { reminderOf } from './turn/reminder.ts'
