import { redirect } from 'next/navigation'
import { savedMessages } from '../chats'
import { Chat } from './chat'

export default async function Page({ searchParams }: { searchParams: Promise<{ chat?: string }> }) {
  const { chat } = await searchParams
  if (chat === undefined) redirect(`/?chat=${crypto.randomUUID()}`)
  return <Chat kept={{ id: chat, messages: savedMessages.get(chat) ?? [] }} />
}
