// The User-Agent of a browser as a short name that its owner recognises. Pure.

/** The first match wins: many browsers name others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

export interface AgentName {
  browser: string
  /** Null: the User-Agent does not name it. */
  system: string | null
}

/** @returns null where it is no browser that is known */
export function agentName(agent: string): AgentName | null {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1]
  return browser === undefined
    ? null
    : { browser, system: SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? null }
}
