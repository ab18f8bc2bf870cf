// A browser in words of the page's language.
import { meWords } from '#cloud/web/messages/me.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { agentName } from './agent-name.ts'

export function useAgentWords(): (agent: string) => string {
  const t = usePageWords(meWords)
  return (agent) => {
    const name = agentName(agent)
    if (name === null) return t.unknownBrowser
    return name.system === null ? name.browser : t.on(name.browser, name.system)
  }
}
