// The number of an order, which leads to its page.
import { Link } from '@tanstack/react-router'
import { memo } from 'react'

interface OrderLinkProps {
  serviceOrderId: string
  /** Or other words that stand for it. */
  number: string
  /** As large as the text around it. */
  isPlain?: boolean
}

/** Drawn anew only when the order is another one: a link is the dearest part of a row. */
export const OrderLink = memo(function OrderLink({ serviceOrderId, number, isPlain = false }: OrderLinkProps) {
  return (
    <Link to="/orders/$id" params={{ id: serviceOrderId }} className={isPlain ? '' : 'order-number'}>
      <bdi>{number}</bdi>
    </Link>
  )
})
