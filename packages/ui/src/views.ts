/** The views that ask the server. They are loaded after the first one, Tonight: with all that they read answers with, they are four times as large. */
import './common/jitless.ts';

export { Delivery } from './delivery/delivery.tsx';
export { Messages } from './messages/messages.tsx';
export { Nights } from './nights/nights.tsx';
export { Now } from './now/now.tsx';
export { Why } from './why/why.tsx';
