// The Ticketrail logo: a ticket on a rail. Decoration next to a name.
import mark from './mark.svg'

export function Logo({ size = 28 }: { size?: number }) {
  return <img className="logo-mark" src={mark} width={size} height={size} alt="" />
}
