// A moment, with the exact one for whoever points at it.
import {ago} from '../data/ago';
import {exactTime, time} from '../data/format';

export function Time({at, relative}: {at: string; relative?: boolean}) {
  return (
    <time
      dateTime={at}
      onPointerEnter={event => {
        event.currentTarget.title = exactTime(at);
      }}
    >
      {relative ? ago(at) : time(at)}
    </time>
  );
}
