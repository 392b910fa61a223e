// Processor time of this process and of all that descend from it, the reaped ones included: what a
// search costs on one core, whatever else the machine does.
#pragma once

namespace irate {

class CoreClock {
 public:
  CoreClock();
  // Since it was made. Where there is no /proc, the time on the wall.
  double Seconds() const;
  double WallSeconds() const;

 private:
  double cpu_start_;
  double wall_start_;
};

}  // namespace irate
