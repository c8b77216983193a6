import { introduction } from '../state.ts'

/** What the program that made the logs says of them. */
export function IntroductionNote() {
  return introduction.value === undefined ? null : <p class="introduction">{introduction.value.notice}</p>
}
