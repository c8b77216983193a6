import { redirect } from 'next/navigation'
import { savedMessages } from '../chats'
import { Chat } from './chat'

export default async function Page({ searchParams }: { searchParams: Promise<{ chat?: string }> }) {
  const { chat } = await searchParams
  if (chat === undefined) redirect(`/?chat=${crypto.randomUUID()}`)
  return <Chat id={chat} saved={savedMessages.get(chat) ?? []} />
}
