// The mark of Ticketrail: a ticket on a rail. Decoration beside a name.
import mark from './mark.svg'

export function Logo({ size = 28 }: { size?: number }) {
  return <img className="logo-mark" src={mark} width={size} height={size} alt="" />
}
