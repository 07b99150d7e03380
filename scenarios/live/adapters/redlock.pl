#!/usr/bin/perl
# Redlock on all servers, one after another, with nothing but what Perl brings.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

$| = 1;
my %of; # what the first line says
my (%connection, $token);
my $delete = 'if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end';
my $extend = 'if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("pexpire",KEYS[1],ARGV[2]) else return 0 end';

sub now { int(clock_gettime(CLOCK_MONOTONIC) * 1e9) }

# ask returns the first line of a server's reply; nothing without one in time. A connection that failed is given up.
sub ask {
    my ($server, @command) = @_;
    my $c = $connection{$server} //= IO::Socket::INET->new(PeerAddr => $server, Timeout => $of{timeout} / 1000) or return '';
    print $c '*', scalar @command, "\r\n", map { '$' . length($_) . "\r\n$_\r\n" } @command;
    my $reply = '';
    while ($reply !~ /\r\n\z/ && IO::Select->new($c)->can_read($of{timeout} / 1000)) {
        sysread($c, $reply, 4096, length $reply) or last;
    }
    delete $connection{$server} if $reply !~ /\r\n\z/;
    return $reply;
}

# majority asks all servers, and returns how many say yes.
sub majority {
    my ($yes, @command) = @_;
    return scalar grep { ask($_, @command) eq $yes } split /,/, $of{servers};
}

while (my $line = <STDIN>) {
    my $begin = now();
    my ($number, $verb, @values) = split ' ', $line;
    if ($verb eq 'start') {
        %of = map { split /=/, $_, 2 } @values;
        print "0 ready\n";
        next;
    }
    my ($answer, $more) = ('no', '');
    my $need = int(($of{servers} =~ tr/,//) + 1) / 2;
    if ($verb eq 'release') {
        $answer = 'yes' if majority(":1\r\n", 'EVAL', $delete, 1, $of{key}, $token) > $need;
    } else {
        $token = sprintf '%x-%x', $$, now() if $verb eq 'acquire';
        my $votes = $verb eq 'acquire'
            ? majority("+OK\r\n", 'SET', $of{key}, $token, 'NX', 'PX', $of{ttl})
            : majority(":1\r\n", 'EVAL', $extend, 1, $of{key}, $token, $of{ttl});
        my $left = int($of{ttl} * 0.99e6 - 2e6) - (now() - $begin);
        if ($votes > $need && $left > 0) {
            ($answer, $more) = ('yes', " token=$token votes=$votes left=$left");
        } elsif ($verb eq 'acquire') {
            majority('', 'EVAL', $delete, 1, $of{key}, $token);
            $more = " votes=$votes token=$token";
        }
    }
    print "$number $answer begin=$begin end=", now(), "$more\n";
}
