// Rooms as plain folders, held against what every kind must do.
import { describeRooms } from "../../../testing/rooms-suite.ts";

describeRooms("folder");
