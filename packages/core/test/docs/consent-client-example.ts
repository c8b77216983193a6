import { clientConsentRequest, type ClientConsentRequest, type ConsentRequest, type Session } from '@repertoire/core'

/** What the page shows in its dialog. */
export function dialogOf(request: ConsentRequest): ClientConsentRequest {
  return clientConsentRequest(request)
}

/** Records what the page sends back. */
export function decide(session: Session, { id, approved }: { readonly id: string; readonly approved: boolean }): void {
  session.answer({ requestId: id, approved })
}
