// A moment, with the exact one behind it.
import {ago, exactTime, time} from '../data/format';

export function Time({at, relative}: {at: string; relative?: boolean}) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relative ? ago(at) : time(at)}
    </time>
  );
}
